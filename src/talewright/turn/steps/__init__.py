"""The steps of the pipeline: recalling, briefing, telling, asking, repairing, judging, committing.

Their order stands in `pipeline`.
"""

"""The steps of the pipeline: recalling, briefing, telling, asking, repairing, judging, committing.

`pipeline` defines their order.
"""

"""Where campaigns are kept: plugs on `chronicle/store.py`.

A store keeps JSON and bytes. It never knows what a state, a game or a turn is.
"""

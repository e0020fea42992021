"""A fake model provider that speaks the vendors' real protocols over real HTTP on loopback.

It invents no story, checks no game and is reachable from this machine only. The door is `server.serve`.

    async with serve(Wire.OPENAI, ["Once upon a time"], faults=[Placed(Fault.RESET, Place.TEXT)]) as server:
        ...  # ask server.url with server.key
        server.ledger.asks[0].cached_tokens
"""

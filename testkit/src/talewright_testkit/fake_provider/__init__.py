"""A fake model provider that speaks the vendors' real protocols over real HTTP on loopback.

It plays no game, and is reachable from this machine only. Start it with `fake_server.serve`.

    faults = [PlacedFault(ProviderFault.RESET, FaultPlace.TEXT)]
    async with serve(Wire.OPENAI, ["Once upon a time"], faults=faults) as server:
        ...  # ask server.url with server.key
        server.ledger.asks[0].cached_tokens
"""

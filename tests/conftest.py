"""What every test stands on: Hypothesis gives the same examples in every run.

No fixture here knows a room of the engine.
"""

from hypothesis import HealthCheck, Phase, settings

# An example database would make a run depend on earlier runs, and a deadline on how busy the machine is.
settings.register_profile(
    "steady",
    derandomize=True,
    database=None,
    deadline=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
# For mutation testing: a failure is all that counts there, so nothing is made small or explained.
settings.register_profile(
    "mutation",
    settings.get_profile("steady"),
    phases=[Phase.explicit, Phase.generate],
    report_multiple_bugs=False,
)
settings.load_profile("steady")

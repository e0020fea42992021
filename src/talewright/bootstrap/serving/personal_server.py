"""The personal server: what `talewright serve` opens for one person's campaigns, games and models.

Games are compiled, and campaigns imported, exported and verified, in the processes of a job pool.
"""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from talewright.bootstrap import installed_systems, new_id, open_lobby, open_provider_factory, utc_now
from talewright.bootstrap.games.compiled_folders import CompiledFolders
from talewright.bootstrap.games.game_library import FolderGameLibrary
from talewright.bootstrap.games.scenario_games import ScenarioImporter
from talewright.bootstrap.jobs.job_pool import JobPlaces, JobPool, read_job_limits
from talewright.bootstrap.model_chooser import LocalModelChooser
from talewright.bootstrap.serving.folder_workbench import FolderWorkbench
from talewright.bootstrap.serving.server_launcher import ServedLobby, ServerOptions, serve_lobby
from talewright.bootstrap.settings_reload import ReloadingProviderFactory
from talewright.common.language_tags import locale_language
from talewright.pack.user_folders import UserFolders, data_folder
from talewright.play.serving.owner_quotas import LOCAL_QUOTAS, QUOTAS, read_quotas


def open_served_lobby(
    asked: ServerOptions, places: UserFolders, environment: Mapping[str, str], secret: bytes | None = None
) -> ServedLobby:
    """Everything that the server shows. Raises SettingsError."""
    factory = ReloadingProviderFactory(lambda: open_provider_factory(environment))
    language = asked.language or locale_language(environment)
    quotas = read_quotas(environment.get(QUOTAS, ""), LOCAL_QUOTAS)
    compiled = CompiledFolders(places.cache, installed_systems)

    def open_shelf(wanted: str) -> FolderGameLibrary:
        return FolderGameLibrary(places.games, places.cache, installed_systems, wanted, compiled=compiled)

    shelf = open_shelf(language)
    lobby = open_lobby(
        asked.saves,
        shelf=shelf,
        git=asked.git,
        secret=secret,
        reloading_factory=factory,
        limits=quotas.storage,
    )
    whole = JobPlaces(
        places.games, places.cache, asked.saves, asked.git, language=language, storage=quotas.storage
    )
    pool = JobPool(whole, read_job_limits(environment, has_owners=False), environment)
    jobs = pool.for_owner("")

    async def close() -> None:
        await pool.close()
        await factory.close()

    games = Path.cwd() / data_folder(environment, Path.home()) / "games"
    return ServedLobby(
        replace(lobby, jobs=jobs),
        new_id,
        LocalModelChooser(factory, lambda: language),
        ScenarioImporter(games, installed_systems(), shelf.games, jobs),
        lambda wanted: open_shelf(wanted).games(),
        close,
        FolderWorkbench(places.own_games, installed_systems, utc_now, jobs=jobs),
        quotas,
        lambda: compiled.prepare(places.games, jobs),
    )


def run_server(
    asked: ServerOptions, places: UserFolders, environment: Mapping[str, str], secret: bytes | None = None
) -> int:
    """Serve all campaigns over HTTP; return the exit code. Only tests pass the secret of the dice."""
    return serve_lobby(open_served_lobby(asked, places, environment, secret), asked, environment)

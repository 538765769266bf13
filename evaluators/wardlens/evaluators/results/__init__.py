"""What a run leaves behind: `run.json`, `metrics.json`, two Parquet tables and a report."""

from wardlens.evaluators.results.configuration import Configuration
from wardlens.evaluators.results.folder import RunFolder

__all__ = ["Configuration", "RunFolder"]

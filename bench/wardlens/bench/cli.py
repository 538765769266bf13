"""Measure throughput against named peers on the same input in the same run."""

import argparse

from wardlens.bench.judge import cli as judge


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the benchmarks, one subcommand each."""
    benchmarks = parser.add_subparsers(title="benchmarks", metavar="BENCHMARK", required=True)
    description = (judge.__doc__ or "").strip().splitlines()[0]
    subparser = benchmarks.add_parser("judge", help=description, description=description)
    judge.add_arguments(subparser)
    subparser.set_defaults(benchmark=judge.run)


def run(arguments: argparse.Namespace) -> int:
    """Run the benchmark that was named; returns the exit code."""
    return int(arguments.benchmark(arguments))

"""What a user should know about a run besides its scores."""

from wardlens.evaluators.plan import Plan


def run_warnings(plan: Plan) -> list[str]:
    """Warnings, most important first; they hold no text and no ids."""
    warnings = []
    if plan.evaluator.weak:
        warnings.append(
            "Weak judge: a very small model. These scores show that everything works; they say "
            "little about the texts."
        )
    if plan.conventions.task.either_or and not plan.evaluator.compares_questions:
        warnings.append(
            "This evaluator judges statements. Models of this kind (TRUE among them) are known to "
            "be poor on questions, and it is not asked whether two questions are the same."
        )
    missing = plan.inputs.examples_without_claims_row
    if missing:
        warnings.append(f"{missing} examples have no row in the claims file.")
    return warnings

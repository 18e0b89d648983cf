"""Options of marking: weights that the paper leaves open, and limits that a bundle states."""

import math
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from cutscore.benchmarks.repair.verify.placement import Measure
from cutscore.core.errors import BadInput
from cutscore.core.timeline import seconds

# The part that a measure plays in the paper's composite, by which its weight is set.
ROLES = {"fw_seg_snr": "quality", "pesq": "quality", "stoi": "intelligibility", "si_sdr": "fidelity"}
AS_BUILT = "bundle"  # an option that is as the bundle states it


def weigh(measures: Sequence[Measure], options: Mapping[str, str]) -> Iterator[Measure]:
    """Set the weights of measures; one of weight 0 is left out."""
    for measure in measures:
        role = ROLES.get(measure.name, measure.name)
        text = options.get(role, "1")
        try:
            factor = float(text)
        except ValueError:
            factor = math.nan
        if not 0 <= factor < math.inf:
            raise BadInput(f"--set {role}={text}", "is not a weight", "give 0 or more")
        if factor:
            yield measure.model_copy(update={"weight": measure.weight * factor})


def read_limit_s(name: str, options: Mapping[str, str], built: Fraction) -> Fraction:
    """Return an option in seconds, or what the bundle states."""
    text = options.get(name, AS_BUILT)
    if text == AS_BUILT:
        return built
    try:
        value = seconds(text)
    except ValueError:
        value = Fraction(-1)
    if value < 0:
        raise BadInput(f"--set {name}={text}", "is no number of seconds", f"give one, or '{AS_BUILT}'")
    return value

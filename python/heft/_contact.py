# SPDX-License-Identifier: Apache-2.0
"""Contact problems as arrays."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from numpy.typing import ArrayLike, NDArray

from ._core import ContactCertificate, ContactProblem, ContactResult, ContactTermination
from ._enums import ConstraintType, ContactMethod


class Solution(NamedTuple):
    """A solution of a contact problem.

    >>> heft.solve(np.eye(3), [-1, 0.2, 0], [0.5]).impulse
    array([ 1. , -0.2,  0. ])
    """

    impulse: NDArray[Any]  #: r [N s]
    velocity: NDArray[Any]  #: u = W r + b [m/s]
    result: ContactResult  #: how the solver ended
    certificate: ContactCertificate  #: error against the exact law, by separate code

    def __repr__(self) -> str:
        return f"<heft.Solution: {self.impulse.size} impulses, {self.result.status}>"


def solve(W: ArrayLike | ContactProblem, b: ArrayLike | None = None, mu: ArrayLike | None = None, *,
          types: Sequence[ConstraintType | str] | None = None, warm: ArrayLike | None = None,
          velocity_scale: float = 0.0, compliance: float = 0.0, tolerance: float = 1e-10,
          effort_max: int = 0, polish: int = 0, method: ContactMethod | str = ContactMethod.AUTO) -> Solution:
    """Solves u = W r + b with Coulomb friction: rows of each contact are normal, tangent, tangent.

    W (3 n, 3 n), b (3 n), mu (n); or a ContactProblem. types: one ConstraintType for each block, if they are
    not points.

    A box of 1 kg falls on the floor at 1 m/s and slides at 2 m/s; friction 0.3 stops the fall and slows it:

    >>> s = heft.solve([[1, 0, 0], [0, 1, 0], [0, 0, 1]], [-1, 2, 0], [0.3])
    >>> abs(s.impulse).round(6).tolist(), abs(s.velocity).round(6).tolist()
    ([1.0, 0.3, 0.0], [0.0, 1.7, 0.0])
    """
    if isinstance(W, ContactProblem):
        problem = W
    elif b is None or mu is None:
        raise TypeError("solve: expected W, b and mu, or a ContactProblem")
    else:
        problem = ContactProblem(W, b, mu, types, warm, velocity_scale, compliance)
    termination = ContactTermination(tolerance=tolerance, polish=polish)
    if effort_max:
        termination.effort_max = effort_max
    impulse, velocity, result = problem._solve(termination, method)
    return Solution(impulse, velocity, result, problem.certify(impulse))


__all__ = ["ContactProblem", "Solution", "solve"]

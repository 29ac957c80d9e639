import pytest
from scipy import stats

from pipeline.scoring.student import LONG, student


@pytest.mark.parametrize("level", [0.5, 0.9, 0.95, 0.99, 0.999])
def test_scipy_says_the_same(level: float) -> None:
    for degrees in (1, 2, 3, 4, 9, 10, 49, LONG - 1, LONG, LONG + 1, 1_000, 200_000):
        assert student(level, degrees) == pytest.approx(
            stats.t.ppf((1 + level) / 2, degrees), rel=1e-9
        ), degrees

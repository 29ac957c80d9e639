"""The sweep as a figure: a panel a metric, each mean with its interval against the key."""

import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pipeline.contract.files import replacing
from pipeline.verbs.sweeps.points import Panel
from pipeline.verbs.sweeps.runs import Sweep
from pipeline.verbs.terminal.text import clean

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
"""Told apart with any colour vision (Okabe & Ito 2008); so are the markers."""
MARKERS = "osD^vPX"
ACROSS = 3
APART = 5.0
"""Points (1/72 inch) between systems at one value, so that intervals do not hide each other."""
WIDE = 8
"""From this ratio of the largest value to the least on, the key's axis is logarithmic."""

LOOK: Any = {
    "font.size": 9,
    "axes.titlesize": 10,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": "#666666",
    "axes.grid": True,
    "axes.grid.axis": "y",
    "axes.axisbelow": True,
    "grid.color": "#e3e3e3",
    "legend.frameon": False,
    "text.parse_math": False,  # a name may hold a dollar sign
    "svg.hashsalt": "rag-assay",  # the same figure, the same bytes
}


SMALL = 0.2
"""A fraction that stays below has an axis of its own, where its changes can be seen."""


def draw(sweep: Sweep, shown: list[Panel], png: Path, svg: Path) -> None:
    """Draw every panel and write the figure twice; the same runs give the same bytes."""
    import matplotlib as mpl
    from matplotlib.figure import Figure
    from matplotlib.layout_engine import ConstrainedLayoutEngine

    with mpl.rc_context(LOOK), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*Glyph")  # names may be in any script
        rows, layout = -(-len(shown) // ACROSS), ConstrainedLayoutEngine(w_pad=0.08, h_pad=0.08)
        figure = Figure(figsize=(3.5 * ACROSS, 2.6 * rows + 0.8), layout=layout)
        grid = figure.subplots(rows, ACROSS, squeeze=False).ravel()
        for axes, panel in zip(grid, shown, strict=False):
            _panel(axes, panel, sweep)
        for axes in grid[len(shown) :]:
            axes.remove()
        _words(figure, sweep)
        with replacing(png) as temporary:
            figure.savefig(temporary, format="png", dpi=150, metadata={"Software": None})
        with replacing(svg) as temporary:
            figure.savefig(temporary, format="svg", metadata={"Date": None})


def _panel(axes: "Axes", panel: Panel, sweep: Sweep) -> None:
    from matplotlib.transforms import ScaledTranslation

    scale = axes.get_figure().dpi_scale_trans  # type: ignore[union-attr]  # it was just put there
    for at, points in enumerate(panel.points.values()):
        aside = (at - (len(panel.points) - 1) / 2) * APART / 72
        moved = axes.transData + ScaledTranslation(aside, 0, scale)
        colour, marker = COLOURS[at % len(COLOURS)], MARKERS[at % len(MARKERS)]
        whole = [point for point in points if point.low is not None and point.high is not None]
        axes.plot(
            [point.value for point in points], [point.mean for point in points],
            color=colour, marker=marker, markersize=5, linewidth=1.3, transform=moved,
        )  # fmt: skip
        axes.errorbar(
            [point.value for point in whole], [point.mean for point in whole],
            yerr=[
                [point.mean - (point.low or 0) for point in whole],
                [(point.high or 0) - point.mean for point in whole],
            ],
            fmt="none", ecolor=colour, elinewidth=1.6, capsize=3, alpha=0.7, transform=moved,
        )  # fmt: skip
    axes.set_title(f"{panel.label} ({panel.n})" if panel.n else panel.label)
    unit = sweep.reference.params.get(f"{sweep.key.rpartition('.')[0]}.unit")
    axes.set_xlabel(clean(f"{sweep.key} ({unit})" if unit else sweep.key))
    axes.set_ylabel("mean")
    tops = [point.high or point.mean for points in panel.points.values() for point in points]
    if panel.fraction and not 0 < max(tops) < SMALL:
        axes.set_ylim(-0.04, 1.04)
        axes.set_yticks([0, 0.25, 0.5, 0.75, 1])
    else:
        axes.set_ylim(0, max(tops) * 1.08 or 1)
    _values(axes, sorted({value for of in sweep.series.values() for value, _ in of}))


def _values(axes: "Axes", values: list[int | float]) -> None:
    """Mark the values that were tried, and no others."""
    least, most = values[0], values[-1]
    if least > 0 and most / least >= WIDE:
        axes.set_xscale("log")
        room = (most / least) ** 0.08
        axes.set_xlim(least / room, most * room)
    else:
        room = (most - least) * 0.08
        axes.set_xlim(least - room, most + room)
    crowded = sum(len(str(value)) + 1 for value in values) > 32
    axes.set_xticks(values, [str(value) for value in values], rotation=45 if crowded else 0)
    axes.minorticks_off()


def _words(figure: "Figure", sweep: Sweep) -> None:
    from matplotlib.lines import Line2D

    tags = sweep.reference.tags
    where = f"questions {tags.get('question_set', '')}, split {tags.get('split', '')}"
    figure.suptitle(
        f"{clean(f'{sweep.key} on {where}')}\nmean over questions with its 95 % bootstrap interval",
        x=0.01, ha="left", fontsize=11,
    )  # fmt: skip
    handles = [
        Line2D([], [], color=COLOURS[at % len(COLOURS)], marker=MARKERS[at % len(MARKERS)])
        for at in range(len(sweep.series))
    ]
    names = [clean(f"system {name}") for name in sweep.series]
    figure.legend(handles, names, loc="outside lower left", ncols=4)

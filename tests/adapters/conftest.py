"""No test reaches a model hub: its client reads this when it is first imported."""

import os

os.environ["HF_HUB_OFFLINE"] = "1"

# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
import json
import random
import time
import urllib.error
import urllib.request


def fetch(url: str, key: str, tries: int = 6):
    """Waits as long as Retry-After says, and a random time more that may be twice as long with each try."""
    request = urllib.request.Request(url, headers={"Authorization": f"Bearer {key}"})
    for attempt in range(1, tries + 1):
        try:
            with urllib.request.urlopen(request, timeout=10) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as refusal:
            if refusal.code not in (429, 503) or attempt == tries:
                raise
            told = float(refusal.headers.get("Retry-After", 0))
        except urllib.error.URLError:
            if attempt == tries:
                raise
            told = 0.0
        time.sleep(told + random.uniform(0, min(30, 0.1 * 2**attempt)))

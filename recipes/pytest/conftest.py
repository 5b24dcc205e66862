import json
import os
import urllib.request

import pytest


@pytest.fixture
def control():
    headers = {"Authorization": f"Bearer {os.environ['KUBEDOUBLE_TOKEN']}"}
    def post(path, **body):
        url = f"{os.environ['KUBEDOUBLE_URL']}/kubedouble/v1/{path}"
        urllib.request.urlopen(urllib.request.Request(url, json.dumps(body).encode(), headers))
    yield post
    post("check")  # fails if a fault was never used
    post("reset")

# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
"""The commands of the documents that are not run as written: how they begin, and why not or what else runs them."""

ELSEWHERE = {
    "./tests/run": "takes long, and is what calls this",
    "tests/faults/run": "is ./tests/run --faults",
    "tests/fuzz/run": "is ./tests/run --fuzz, for longer",
    "./bench/": "measures for minutes; of compare the test bench/compare runs short rounds",
    "bench/consumer/measure": "measures for minutes, and wants two other libraries",
    "build/release/bench/": "measures for minutes",
    "cmake --preset release -D PETSTORE_BUILD_BENCH=ON": "compiles for minutes: ./tests/run builds the same",
    "cmake --preset release -B build/plain": "compiles the program once more, to be measured",
    "cmake --build build/release && cmake --install build/release --prefix /tmp/petstore": "docs/embedding.md has the same",
    "taskset -c 1 petstore-load": "measures: the tests bench/load run petstore-load",
    "petstore-load compare": "wants the files of the measurement: the tests bench/load compare two",
    "command time -v petstore-load": "measures",
    "deploy/compose/pin-images": "asks Docker and a registry: images_test.py has a stand-in",
    "./deploy/release": "builds and packs: release_test.py runs it",
    "tar -xf petstore-": "is of a release: release_test.py does it on a bare system",
    "petstore-1.0.0-linux": "as above",
    "bin/petstore ": "as above",
    'curl -H "Authorization: Bearer $TOKEN"': "asks a server with a file of tokens: tests/contract/admin_keys_test.cpp does",
    "petstore keys list --admin-url": "as above",
    "build/examples/": "serves until it is told to end: tests/embedding/installed/programs runs it",
    "for i in $(seq": "asks one of these servers: as above",
    "curl -i -H 'X-Api-Key": "as above",
    "echo 'key-of-ann": "as above",
    "redis-server --port": "as above",
    "docker ": "Docker is not at hand: image_test.py builds and runs the image with podman",
    'curl -H "Authorization: Bearer KEY"': "asks the service that docker compose started",
    "cd deploy/compose": "is for docker compose",
    "for node in node1 node2 node3": "is for docker compose",
    "kubectl ": "wants a cluster: kubernetes.test.ts checks what it would apply",
    "petstore serve --listen 10.0.0.11:8080": "wants two files in /etc: ./deploy/run --cluster starts such nodes",
    "vcpkg ": "vcpkg is not at hand: the test of its port runs that with CMake alone",
    "conan ": "Conan is not at hand: conan_recipe.py runs the recipe",
    "cd deploy/prometheus": "prometheus_test.py runs Prometheus",
    "prometheus ": "prometheus_test.py runs it with this configuration",
    "install ": "changes the system: tests/faults/run secrecy starts the unit under systemd",
    "systemd-sysusers": "changes the system: as above",
    "runuser -u petstore": "wants the user and the store of an installed service: as above",
}

# What the test in the build leaves to the run in a clone, `tests/documentation/run`.
IN_A_CLONE = {
    "./deploy/run --cluster": "starts PostgreSQL and Redis",
    "petstore migrate": "needs PostgreSQL",
    "cmake ": "builds",
    "CMAKE_PREFIX_PATH=": "builds",
    "ls build/release/packages": "wants the packages",
    "deploy/compose/make-secrets": "writes into the checkout",
    "petstore-load http://127.0.0.1:8080/v1 --scenario": "takes half a minute",
}


def why(table: dict[str, str], text: str) -> str:
    return next((reason for begin, reason in table.items() if text.startswith(begin)), "")

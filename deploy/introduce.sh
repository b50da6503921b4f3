# Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
# shellcheck shell=bash
#
# What ./deploy/run and its cluster say when the service is there. To be sourced by bash.

# show_first_steps URL KEY: commands to paste.
show_first_steps() {
  local url=$1 key=$2 pet
  # An animal that was adopted stays so over restarts: offer one that is still there.
  pet=$(curl -s -m 5 -H "Authorization: Bearer $key" "$url/pets?status=available&limit=1" | sed -n 's/.*"id":\([0-9]*\).*/\1/p') || true
  cat <<TEXT

Ready. The demo key is $key (plan business, 1000 requests a minute). In another terminal:
  export KEY=$key

List animals that are available:
  curl -s -w '\n' -H "Authorization: Bearer \$KEY" '$url/pets?status=available&limit=3'

Add one:
  curl -s -w '\n' -H "Authorization: Bearer \$KEY" -H 'Content-Type: application/json' -d '{"name": "Rosa", "categoryId": 1, "status": "available"}' $url/pets

Adopt one, and see the rate limit in the headers:
  curl -s -i -w '\n' -H "Authorization: Bearer \$KEY" -H 'Content-Type: application/json' -d '{"petId": ${pet:-1}}' $url/store/orders

TEXT
}

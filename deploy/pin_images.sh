#!/bin/sh
# Looks up the digests of all images that compose.yaml names, and writes them into .env beside it. From then on exactly these
# images are used. To update them, run it again:
#   sh deploy/pin_images.sh
# DOCKER names another program with the same commands, such as podman.
set -eu
umask 077
cd "$(dirname "$0")"
docker=${DOCKER:-docker}

if ! [ -f .env ]; then
    echo "There is no deploy/.env yet: copy deploy/example.env and fill it in." >&2
    exit 1
fi

find_images() {
    sed -n 's/.*\${\([A-Z]*_IMAGE\):-\([^}]*\)}.*/\1 \2/p' compose.yaml | sort -u
}

look_up() {
    find_images | while read -r name image; do
        "$docker" pull --quiet "$image" >&2 || { echo "$image could not be pulled." >&2; exit 1; }
        digest=$("$docker" image inspect --format '{{index .RepoDigests 0}}' "$image") || digest=
        case $digest in
        *@sha256:*) echo "$name=$digest" ;;
        *) echo "$image has no digest." >&2; exit 1 ;;
        esac
    done
}

pinned=$(look_up) || exit 1
# .env is replaced as a whole, so that a full disk cannot leave half of it.
{ grep -v '^[A-Z]*_IMAGE=' .env || true; echo "$pinned"; } > .env.new
mv .env.new .env
echo "$pinned"

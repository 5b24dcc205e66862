# Drives the control API of the server in KUBEDOUBLE_URL with curl. Prints one line for each step.
set -eu

# Sends a request: the method, the path, and the body if there is one. Prints the status and the body.
request() {
  set -- "$1" "$2" "${3-}" "${url:-$KUBEDOUBLE_URL}" "${token:-$KUBEDOUBLE_TOKEN}"
  curl --silent --show-error --cacert "$KUBEDOUBLE_CA_FILE" --request "$1" --header "Authorization: Bearer $5" \
    --header 'Content-Type: application/json' ${3:+--data "$3"} --write-out '\n%{http_code}' "$4$2" >response.txt
  status=$(tail -n 1 response.txt)
}
control() {
  request "$1" "/kubedouble/v1/$2" "${3-}"
}
member() {
  sed -n "s/.*\"$1\": *\"\{0,1\}\([^\",}]*\).*/\1/p" response.txt | head -n 1
}

maps=/api/v1/namespaces/default/configmaps
map() {
  echo '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"'"$1"'","resourceVersion":"'"${2-}"'"}}'
}

request POST $maps "$(map first)"
echo "create: $status"
version=$(member resourceVersion)
control POST faults '{"scenario": "conflict:resource=configmaps"}'
echo "inject: $status"
control POST check
echo "check of an unused fault: $status"
control POST faults '{"scenario": "conflict", "options": {"resource": "configmaps"}}'
fault=$(member id)
request PUT $maps/first "$(map first "$version")"
echo "update: $status"
control GET "faults/$fault"
echo "hits: $(member hits)"
control GET 'requests?verb=update'
echo "fault in the log: $(member fault)"
control POST check
echo "check: $status"
control POST faults '{"scenario": "throttle"}'
control DELETE "faults/$(member id)"
echo "remove: $status"
control POST faults '{"scenario": "conflct"}'
grep -q 'did you mean conflict?' response.txt
echo "misspelt: $status true"
control POST clock '{"advance": "1h"}'
echo "advance: $status"
control POST compact
echo "compact: $status"
request GET "$maps?resourceVersion=1&resourceVersionMatch=Exact"
echo "old list: $status"
control POST snapshots
snapshot=$(member id)
request DELETE $maps/first
control POST "snapshots/$snapshot/restore"
echo "restore: $status"
request GET $maps/first
echo "restored: $status"
control POST forks '{}'
echo "fork: $status"
fork=$(member id) fork_url=$(member url) fork_token=$(member token)
url=$fork_url token=$fork_token request DELETE $maps/first
request GET $maps/first
echo "after a delete in the fork: $status"
control DELETE "forks/$fork"
echo "close: $status"
control POST reset
echo "reset: $status"
request GET $maps/first
echo "after the reset: $status"
token=guess control GET faults
echo "another token: $status"

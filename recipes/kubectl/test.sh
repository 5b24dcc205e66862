# Runs inside `kubedouble exec`, which sets KUBECONFIG.
set -eu

expect() {
  if [ "$1" != "$2" ]; then
    echo "expected: $2"
    echo "got:      $1"
    exit 1
  fi
}

color() {
  kubectl --namespace shop get configmap settings --output 'jsonpath={.data.color}'
}

expect "$(kubectl get namespace shop --output name)" namespace/shop
expect "$(color)" blue
kubectl --namespace shop patch configmap settings --patch '{"data":{"color":"red"}}'
expect "$(color)" red
kubectl --namespace shop create configmap more --from-literal=size=large
expect "$(kubectl --namespace shop get configmaps --selector app=shop --output name)" configmap/settings
kubectl --namespace shop delete configmap more
if kubectl --namespace shop get configmap more 2>error.txt; then exit 1; fi
expect "$(cat error.txt)" 'Error from server (NotFound): configmaps "more" not found'
echo ok

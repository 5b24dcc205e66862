# Runs inside `kubedouble exec`, which sets KUBECONFIG, KUBEDOUBLE_URL, KUBEDOUBLE_TOKEN and KUBEDOUBLE_CA_FILE.
set -eu

kubedouble inject conflict:resource=configmaps,times=2
sh ./set-color.sh red
kubedouble faults --check # fails if the conflicts did not happen
kubedouble requests --verb=update --resource=configmaps
test "$(kubectl get configmap settings --output 'jsonpath={.data.color}')" = red
kubedouble reset
test "$(kubectl get configmap settings --output 'jsonpath={.data.color}')" = blue

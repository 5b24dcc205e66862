/** The output of `admit --help`. */
export const admitHelp = `Sends objects to the admission plugins, webhooks and policies of a cluster as dry runs, and writes who says what.

Usage:
  kubedouble admit -f FILE... [--load FILE...] [flags]

  kubedouble admit -f pod.yaml --load policies/
  kubedouble admit -f pod.yaml --load policies/ --as alice --as-group dev -o json

The cluster has what a new one has, and what --load names. An object that it has is updated, any other is created. The status is 0 if all
objects are admitted, 1 if one is refused, and 2 if the command line or a file is wrong.

Flags:
  -f, --file FILE                 objects to send: YAML or JSON files, directories, - for standard input; can be repeated
      --load FILE                 objects of the cluster, in the same forms; can be repeated
      --operation string          CREATE, UPDATE or DELETE (default: UPDATE if the cluster has the object, otherwise CREATE)
      --subresource string        subresource to send the objects to, for example status or eviction
  -n, --namespace string          namespace of the objects (default: their own, or "default")
      --as string                 user who sends the objects (default: an administrator)
      --as-group string           group of this user; can be repeated
      --as-uid string             uid of this user
  -o, --output string             text, json or yaml (default: text)
      --release string            Kubernetes release to emulate, for example "1.32" (default: 1.32)
      --enable-admission-plugins list, --disable-admission-plugins list
                                  admission plugins to turn on or off
      --admission-control-config-file FILE
                                  AdmissionConfiguration, with the configurations of plugins
      --feature-gates pairs       features to enable or disable, for example "Name=true"
      --runtime-config pairs      API versions to enable or disable, for example "api/alpha=true"
      --authorization-mode list   how to authorize the requests: AlwaysAllow, AlwaysDeny, RBAC, Node (default: AlwaysAllow)
      --service-at NAME=HOST:PORT where the server of a webhook is: namespace/name of a Service, or an origin; can be
                                  repeated
      --on-unknown string         whether objects of unknown kinds in --load are an "error" or left out: "skip" (default:
                                  error)
  -h, --help                      show this text
`;

/** The output of `kubedouble --help`. */
export const commandHelp = `kubedouble is a test double of the Kubernetes API.

Usage:
  kubedouble serve [flags]             serve the API until a signal arrives
  kubedouble exec [flags] -- COMMAND   run COMMAND with KUBECONFIG set, and serve the API while it runs
  kubedouble eval EXPRESSION           evaluate an expression of the Common Expression Language (CEL)
  kubedouble admit -f FILE             say what admission webhooks and policies do with objects
  kubedouble convert -f FILE           convert manifests to another API version
  kubedouble check -f FILE             say what a release removes or deprecates of what manifests and requests use
  kubedouble types FILE...             write TypeScript types for CustomResourceDefinitions
  kubedouble lint-deprecations FILE    say what plans break of Kubernetes' deprecation policy
  kubedouble credential STEP...        be a credential plugin that a kubeconfig names

Control of a running server:
  kubedouble inject SCENARIO...        inject failures, for example conflict:resource=deployments,times=2
  kubedouble faults                    show, check or remove the injected failures
  kubedouble requests                  show the requests of clients
  kubedouble clock                     show or advance the time
  kubedouble upgrade RELEASE           go on as a newer release of Kubernetes
  kubedouble downgrade RELEASE         go on as an older release of Kubernetes
  kubedouble reset                     go back to the first state

Flags:
  -h, --help      show this text; "kubedouble serve --help" shows the flags of a command
      --version   show the version

More: https://www.npmjs.com/package/kubedouble
`;

/** The output of `serve --help` and `exec --help`. */
export const flagsHelp = `Usage:
  kubedouble serve [flags]
  kubedouble exec [flags] -- COMMAND [ARGUMENT...]

Flags:
      --port int                  port to serve on, 0 for a free port (default: serve 6443, exec 0)
      --secure-port int           the same, with the name of kube-apiserver
      --bind-address ip           address to listen on (default: 127.0.0.1)
      --http                      serve plain HTTP instead of TLS
      --allowed-hosts list        names by which clients may call a server with --http on a loopback address, and whose web
                                  pages may use it, besides localhost (default: none)
      --kubeconfig FILE           where to write an administrator's kubeconfig (default: a private temporary file)
      --release string            Kubernetes release to emulate, for example "1.32" (default: 1.32)
      --load FILE...              manifests to load: YAML or JSON files, directories, - for standard input
      --on-unknown string         whether objects of unknown kinds are an "error" or left out: "skip" (default: error)
      --identifiers string        "svc" writes svc for kubernetes, k8s and kube in every name: meta.svc.io (default: kubernetes)
      --openapi-descriptions FILE  swagger.json of a cluster or a release, for the texts of kubectl explain
      --controllers strings       controllers to run: "*" all that run by default, "foo" the controller foo, "-foo"
                                  not the controller foo, "" none (default: *)
      --simulate [parts]          let the cluster live: workload controllers, a scheduler and three nodes that run no
                                  containers, or a list of "workloads", "scheduler", "kubelets" after "=" (default: none)
      --stages FILE               stages of KWOK that nodes and pods go through, with --simulate: a YAML or JSON file, or a
                                  directory; can be repeated
      --history-bytes int         how much memory old resourceVersions may need, estimated; beyond it, the oldest answer
                                  410 (default: an eighth of the heap limit)
      --runtime-config pairs      API versions and resources to enable or disable, for example
                                  "apps/v1=false,api/beta=true"
      --emulated-version text     the earlier release to emulate, for example 1.33
      --feature-gates pairs       features to enable or disable, for example "Name=true"
      --anonymous-auth            whether requests without credentials are anonymous instead of refused (default: they
                                  are, except with the authorization mode AlwaysAllow)
      --authorization-mode list   how to authorize requests; the first mode with an opinion decides: AlwaysAllow,
                                  AlwaysDeny, ABAC, Webhook, RBAC, Node (default: Node,RBAC)
      --authorization-policy-file FILE  policies of the mode ABAC: one in JSON a line
      --authorization-config FILE AuthorizationConfiguration, instead of the other flags of authorization
      --authorization-webhook-config-file FILE
                                  webhook of the mode Webhook, as a kubeconfig
      --cors-allowed-origins list regular expressions of the origins whose web pages may use the server, for example
                                  "^http://localhost:5173$" (default: none)
      --service-cluster-ip-range  range of the cluster IPs of services (default: 10.96.0.0/12)
      --service-node-port-range   range of the node ports of services (default: 30000-32767)
      --max-requests-inflight int, --max-mutating-requests-inflight int
                                  how many requests may be in flight at a time before others get 429 (default: 400, 200)
      --http2-max-streams-per-connection int
                                  how many streams a client may open on one connection (default: 100)
      --token-auth-file FILE      tokens to accept: CSV of token,user,uid,"group,group"
      --client-ca-file FILE       authorities for client certificates (default: only the cluster's own)
      --requestheader-client-ca-file FILE
                                  authorities for proxies that name the user in headers (default: none)
      --proxy-client-cert-file FILE, --proxy-client-key-file FILE
                                  certificate and key that identify the server to the servers behind APIServices
      --authentication-token-webhook-config-file FILE
                                  webhook that authenticates tokens, as a kubeconfig (default: none)
      --service-account-issuer    issuer of service account tokens; can be repeated
      --service-account-signing-key-file FILE
                                  key that signs service account tokens (default: a generated one)
      --service-account-key-file FILE
                                  keys that verify service account tokens; can be repeated (default: the signing key)
      --oidc-issuer-url URL, --oidc-client-id string
                                  issuer of OpenID Connect whose ID tokens to accept, and their audience
      --oidc-ca-file FILE         authorities that certify the issuer (default: those of the host)
      --oidc-username-claim, --oidc-username-prefix, --oidc-groups-claim, --oidc-groups-prefix
                                  how claims become the user (default: username from sub, after the issuer and "#")
      --oidc-required-claim pair  claim that tokens must have, as "key=value"; can be repeated
      --oidc-signing-algs list    algorithms that tokens may be signed with (default: RS256)
      --authentication-config FILE
                                  AuthenticationConfiguration, instead of the flags of OpenID Connect; read again when
                                  it changes
      --enable-bootstrap-token-auth
                                  whether bootstrap tokens in Secrets of kube-system authenticate (default: false)
      --shutdown-delay-duration   how long to serve after a signal, without being ready (default: 0s)
      --v level                   from 1 on, print a line for each request on standard error: time, status, method, path,
                                  user, duration, failure (default: 0)
      --audit-log-path FILE       where to write the audit log, - for standard output
      --audit-policy-file FILE    which requests the audit log records: a Policy of audit.k8s.io/v1
      --rbac-report FILE          where to write the smallest Roles and ClusterRoles for what clients did
      --service-at NAME=HOST:PORT where the server is that webhooks or APIServices name: namespace/name of a Service, or an
                                  origin such as https://hooks.example.com; can be repeated
      --scenario SCENARIO         a failure to inject, for example "conflict:resource=deployments,times=2"; can be
                                  repeated
      --control                   whether the port has the control API below /kubedouble/v1/, for the administrator's
                                  token only (default: true)
      --quiet                     write nothing on standard error about flags that are deprecated or have no effect
  -h, --help                      show this text
      --version                   show the version

Every other flag of kube-apiserver 1.32 is accepted, so existing command lines work. Flags without effect here are
listed on standard error.

Deprecated, with a warning as kube-apiserver 1.32 writes it: --admission-control, --apiserver-count,
--audit-webhook-batch-initial-backoff, --cloud-config, --cloud-provider, --default-watch-cache-size, --enable-logs-handler,
--kubelet-port, --kubelet-read-only-port.

When it is ready, serve prints one line: kubedouble: serving https://127.0.0.1:6443 (kubeconfig FILE)
It stops on SIGTERM and SIGINT. exec sets KUBECONFIG, KUBEDOUBLE_URL, KUBEDOUBLE_TOKEN and, with TLS, KUBEDOUBLE_CA_FILE.
`;

/** What `kubedouble --help` prints. */
export const commandHelp = `kubedouble is a test double of the Kubernetes API.

Usage:
  kubedouble serve [flags]             serve the API until a signal comes
  kubedouble exec [flags] -- COMMAND   serve it while COMMAND runs, with KUBECONFIG set

Flags:
  -h, --help      this text; "kubedouble serve --help" for the flags
      --version   the version

More: https://www.npmjs.com/package/kubedouble
`;

/** What `serve --help` and `exec --help` print. */
export const flagsHelp = `Usage:
  kubedouble serve [flags]
  kubedouble exec [flags] -- COMMAND [ARGUMENT...]

Flags:
      --port int                  port to serve on, 0 for one that is free (serve: 6443, exec: 0)
      --secure-port int           the same, by its name in kube-apiserver
      --bind-address ip           address to listen on (127.0.0.1)
      --http                      serve plain HTTP instead of TLS
      --kubeconfig FILE           where to write a kubeconfig of an administrator (a private temporary file)
      --release string            Kubernetes release to be, as "1.32"
      --load FILE...              manifests to start with: YAML or JSON files, directories, - for standard input
      --controllers strings       controllers to run: "*" those that run by default, "foo" this one, "-foo" not this
                                  one, "" none
      --runtime-config pairs      API versions and resources to turn on or off, as "apps/v1=false,api/beta=true"
      --feature-gates pairs       features to turn on or off, as "Name=true"
      --authorization-mode list   who may do what: AlwaysAllow, RBAC, AlwaysDeny (AlwaysAllow)
      --service-cluster-ip-range  where the cluster IPs of services come from (10.96.0.0/12)
      --service-node-port-range   where their node ports come from (30000-32767)
      --token-auth-file FILE      tokens to accept: CSV of token,user,uid,"group,group"
  -h, --help                      this text
      --version                   the version

Every other flag of kube-apiserver 1.32 is accepted, so that its command lines work. Those that mean nothing here are
named on standard error.

When it is ready, serve prints one line: kubedouble: serving https://127.0.0.1:6443 (kubeconfig FILE)
It stops on SIGTERM and SIGINT.
`;

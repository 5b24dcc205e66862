/** The output of `credential --help`. */
export const credentialHelp = `A credential plugin for tests of clients: prints an ExecCredential, as a script of steps says.

Usage:
  kubedouble credential STEP... [flags]

  kubedouble credential credential:token=t1
  kubedouble credential --calls FILE credential:token=t1,lifetime=10m fail credential:token=t2
  kubedouble credential --calls FILE hang:times=2 print:text=nonsense credential:certificate=FILE,key=FILE

A kubeconfig names it in users[].user.exec. Each call is answered by the next step; the last one answers all later calls.

Steps:
  credential   a bearer token (token), a client certificate in PEM (certificate, key: files), or both
  config       a token from the kubeconfig: spec.cluster.config.token, with provideClusterInfo
  prompt       a token that the user types, if the client lets the plugin be interactive
  fail         ends with an error (message, status)
  print        writes something else than an ExecCredential (text or file)
  hang         does not end before its client does

Options of steps:
  lifetime     of credentials: when they expire, such as "10m", or "-10m" for expired ones (default: they do not)
  times        how many calls the step answers (default: 1)
  delay        how long the answer takes, such as "5s" (default: 0s)

Flags:
      --calls FILE          where calls are counted; each adds a line of JSON with what the client sent
      --api-version string  answer with this version, v1 or v1beta1 (default: that of the client)
  -h, --help                show this text
`;

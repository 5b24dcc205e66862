/** The commands that control a running server. */
export type ControlCommandName =
  | "inject"
  | "faults"
  | "requests"
  | "clock"
  | "upgrade"
  | "downgrade"
  | "reset";

const flags = `  -o, --output string     "text" or "json" (default: text)
      --kubeconfig FILE   the administrator's kubeconfig that serve has written
  -h, --help              show this text

Without --kubeconfig, the server is that of KUBEDOUBLE_URL, KUBEDOUBLE_TOKEN and KUBEDOUBLE_CA_FILE, which kubedouble
exec sets, or that of KUBECONFIG.
`;

/** The output of `--help` for each of these commands. */
export const controlHelp: Readonly<Record<ControlCommandName, string>> = {
  inject: `Injects failures into requests of clients from now on, and prints their ids.

Usage:
  kubedouble inject SCENARIO...

A SCENARIO is the name of a failure, with options: conflict, conflict:resource=deployments,times=2,
throttle:verb=get|list. The names and options are those of kubedouble/scenarios.

Flags:
${flags}`,
  faults: `Shows the injected failures and how often they have struck.

Usage:
  kubedouble faults
  kubedouble faults remove ID...
  kubedouble faults --check

Flags:
      --check             fail if a failure was never used, and end all of them
${flags}`,
  requests: `Shows the requests of clients, oldest first.

Usage:
  kubedouble requests [flags]
  kubedouble requests clear

Flags:
      --verb string         only requests with this RBAC verb; can be repeated
      --resource string     only requests for this resource, such as pods; can be repeated
      --group string        only requests for this API group; "" is the core group
      --subresource string  only requests for this subresource; "" is the object itself
  -n, --namespace string    only requests in this namespace
      --name string         only requests for the object with this name
      --path string         only requests for this path
      --user string         only requests of this user
      --user-agent string   only requests whose User-Agent contains this text
${flags}`,
  clock: `Shows or advances the time of the cluster.

Usage:
  kubedouble clock
  kubedouble clock advance DURATION

A DURATION is a number with a unit, such as 90s, 5m or 1h30m.

Flags:
${flags}`,
  upgrade: `Goes on as a server of a newer release of Kubernetes with the same objects, and prints the objects that it
cannot read or does not serve. Open watches end.

Usage:
  kubedouble upgrade RELEASE

Flags:
      --minors string     what to do if RELEASE is more than one minor release away: "one" is an error, "each" goes
                          through the releases between, "skip" goes there at once (default: one)
${flags}`,
  downgrade: `Goes on as a server of an older release of Kubernetes with the same objects, and prints the objects that it
cannot read or does not serve. Open watches end.

Usage:
  kubedouble downgrade RELEASE

Flags:
      --minors string     what to do if RELEASE is more than one minor release away: "one" is an error, "each" goes
                          through the releases between, "skip" goes there at once (default: one)
${flags}`,
  reset: `Goes back to the objects that the cluster had at its start, ends all failures and clears the log of requests.

Usage:
  kubedouble reset

Flags:
${flags}`,
};

/** The output of `lint-deprecations --help`. */
export const lintHelp = `Says what a plan breaks of Kubernetes' deprecation policy: the rule, and the earliest release that it would allow.

Usage:
  kubedouble lint-deprecations FILE...

FILE is YAML or JSON, a directory of such files, or - for standard input. Each document is a plan with lists of
apis, flags, behaviors, featureGates and metrics, and the releases in which they are introduced, deprecated and removed:

  apis:
    - group: example.com
      kind: Widget
      timeline:
        v1beta1: { introduced: "1.28", deprecated: "1.29", removed: "1.31" }
        v1: { introduced: "1.29" }

Flags:
  -o, --output string   "text" or "json" (default: text)
  -h, --help            show this text

It exits with 0, with 1 for a plan that breaks a rule, or with 2 and a message for a file that is no plan.
`;

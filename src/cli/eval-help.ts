/** The output of `eval --help`. */
export const evalHelp = `Evaluates an expression of the Common Expression Language, as Kubernetes speaks it.

Usage:
  kubedouble eval EXPRESSION [flags]

  kubedouble eval "1 + 2"
  kubedouble eval "self.replicas <= 5" -f object.yaml
  kubedouble eval "self.spec.replicas <= 5" -f object.yaml --schema crd.yaml --verbose

The value is written as JSON. If the expression does not compile or its evaluation fails, the error is written on
standard error, with a pointer under its place, and the status is 1.

Flags:
  -f, --file FILE       the object, as YAML or JSON, - for standard input: the variables self and object
      --old-file FILE   the object before a change: the variables oldSelf and oldObject
      --schema FILE     the type of self and oldSelf: a CustomResourceDefinition or an OpenAPI schema
      --release string  the Kubernetes release whose libraries a new expression may use (default: 1.32)
      --verbose         also write the type of the value, the estimated cost and the cost used
  -h, --help            show this text
`;

/** The output of `convert --help`. */
export const convertHelp = `Converts manifests to another API version, as kubectl convert does, without a cluster.

Usage:
  kubedouble convert -f FILE... --output-version GROUP/VERSION [flags]

  kubedouble convert -f ingress.yaml --output-version networking.k8s.io/v1
  helm template chart/ | kubedouble convert -f - --output-version policy/v1

Comments and the order of fields stay. Of defaults, only those are written that the new version would not set itself. Objects of kinds
that the group does not have stay as they are. Between versions that no release has together, the way goes through those in between.
The status is 0 if all files are converted, and 1 if not; then nothing is written.

Flags:
  -f, --filename FILE               manifests: YAML or JSON files, directories, - for standard input; can be repeated
      --output-version string       version to convert to, for example "networking.k8s.io/v1"
  -o, --output string               yaml or json (default: yaml)
      --release string              the only release whose versions count, for example "1.21" (default: the newest that has
                                    both versions)
  -h, --help                        show this text
`;

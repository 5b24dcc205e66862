/** The output of `check --help`. */
export const checkHelp = `Says which manifests and requests use what a release does not serve, or deprecates, and what replaces it.

Usage:
  kubedouble check -f FILE... --release RELEASE [flags]

  kubedouble check -f manifests/ --release 1.32
  helm template chart/ | kubedouble check -f - --release 1.32
  kubedouble check -f audit.log --release 1.32 --fail-on deprecated

Files are YAML or JSON: manifests and lists, the audit log that serve --audit-log-path writes, and the output of kubedouble requests -o
json. Directories are read with their subdirectories. Custom resources are not judged. The status is 0 if nothing is found, 1 if
something is, and 2 if the command line or a file is wrong.

Flags:
  -f, --filename FILE     files, directories, - for standard input; can be repeated
      --release string    Kubernetes release to check against, for example "1.32" (default: 1.32)
      --fail-on string    what makes the status 1: "removed", which is all that the release does not serve, or "deprecated", which
                          is that and what it deprecates (default: removed)
  -o, --output string     text or json (default: text)
  -h, --help              show this text
`;

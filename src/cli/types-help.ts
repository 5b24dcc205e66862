/** The output of `types --help`. */
export const typesHelp = `Writes TypeScript types for CustomResourceDefinitions.

Usage:
  kubedouble types FILE... [flags]

  kubedouble types crd.yaml > widget.ts
  kubedouble types config/crd

Files are YAML or JSON, - is standard input, and of a directory all files count. Other objects in them are left out.
Each version has a type, such as WidgetV1, and the stored version also has the name of the kind: Widget.

Flags:
  -h, --help            show this text
`;

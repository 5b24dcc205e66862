import { definitionTypes } from "./definition-types.ts";
import { FlagError } from "./flag-error.ts";
import { type Flag, parseFlags } from "./flag-set.ts";
import { readManifests } from "./manifests.ts";
import { typesHelp } from "./types-help.ts";

const flags: readonly Flag[] = [{ name: "help", type: "bool", shorthand: "h" }];

/** `kubedouble types FILE...`: writes TypeScript types for CustomResourceDefinitions. @throws {Error} for files without a definition */
export async function typesCommand(args: readonly string[]): Promise<number> {
  const { values, operands } = parseFlags(flags, args);
  if (values.get("help")?.at(-1) === "true") {
    process.stdout.write(typesHelp);
    return 0;
  }
  if (operands.length === 0) {
    throw new FlagError(
      "types needs the file of a CustomResourceDefinition, for example: kubedouble types crd.yaml",
    );
  }
  const definitions = readManifests(operands)
    .map(({ object }) => object)
    .filter(({ kind }) => kind === "CustomResourceDefinition");
  if (definitions.length === 0) throw new Error(`no CustomResourceDefinition in ${operands.join(", ")}`);
  process.stdout.write(definitionTypes(definitions));
  return 0;
}

import { imageParts } from "./images.ts";

const component = "[a-z0-9]+(?:(?:\\.|__?|-+)[a-z0-9]+)*";
const label = "[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?";
const host = `(?:${label}(?:\\.${label})*|\\[[a-fA-F0-9:]+\\])(?::[0-9]+)?`;
const tag = "\\w[\\w.-]{0,127}";
const digest = "[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}";
const reference = new RegExp(`^(?:${host}/)(${component}(?:/${component})*)(?::${tag})?(?:@${digest})?$`);
const identifier = /^[a-f0-9]{64}$/;
const longestName = 255;

/** Why a text is not the name of an image; undefined if it is. Upstream: `ParseNormalizedNamed` (github.com/distribution/reference). */
export function imageNameProblem(image: string): string | undefined {
  if (identifier.test(image))
    return `invalid repository name (${image}), cannot specify 64-byte hexadecimal strings`;
  const { domain, remainder } = imageParts(image);
  const [path = ""] = remainder.split(":", 1);
  const invalid = "invalid reference format";
  if (path.toLowerCase() !== path) return `${invalid}: repository name (${path}) must be lowercase`;
  const found = reference.exec(`${domain}/${remainder}`);
  if (found === null) return invalid;
  const length = (found[1] ?? "").length;
  return length > longestName ? `repository name must not be more than ${longestName} characters` : undefined;
}

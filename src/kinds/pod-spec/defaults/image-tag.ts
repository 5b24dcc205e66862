const alphanumeric = "[a-z0-9]+";
const separator = "(?:[._]|__|-+)";
const component = `${alphanumeric}(?:${separator}${alphanumeric})*`;
const path = `${component}(?:/${component})*`;
const domainLabel = "[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?";
const domain = String.raw`(?:${domainLabel}(?:\.${domainLabel})*|\[[a-fA-F0-9:]+\])(?::[0-9]+)?`;
const tag = "[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}";
const digest = "sha256:[a-f0-9]{64}|sha384:[a-f0-9]{96}|sha512:[a-f0-9]{128}";
const reference = new RegExp(`^((?:${domain}/)?${path})(?::(${tag}))?(@(?:${digest}))?$`);

/** A bare image identifier is not a name. */
const identifier = /^[a-f0-9]{64}$/;

const defaultDomain = "docker.io/";
const maxNameLength = 255;

/**
 * The tag of a container image; `latest` if it has neither tag nor digest. Empty for an image with a digest only, and
 * for an invalid name.
 */
export function imageTag(image: string): string {
  if (identifier.test(image)) return "";
  const [, name = "", sentTag, sentDigest] = reference.exec(qualified(image)) ?? [];
  if (name === "" || name.length > maxNameLength) return "";
  return sentTag ?? (sentDigest === undefined ? "latest" : "");
}

/** The name with its domain. The part before the first slash is a domain if it looks like a host. */
function qualified(image: string): string {
  const slash = image.indexOf("/");
  const head = image.slice(0, Math.max(slash, 0));
  const isHost = /[.:]/.test(head) || head === "localhost" || head !== head.toLowerCase();
  if (isHost) return image;
  return defaultDomain + (slash < 0 ? `library/${image}` : image);
}

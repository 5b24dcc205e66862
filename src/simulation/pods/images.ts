import { sha256 } from "../../apimachinery/sha.ts";

const ofDockerHub = "docker.io";
const oldDockerHub = "index.docker.io";

/** The registry of an image, and the rest of its name: `docker.io` and `library/nginx` for `nginx`. */
export function imageParts(image: string): { readonly domain: string; readonly remainder: string } {
  const slash = image.indexOf("/");
  const host = slash < 0 ? "" : image.slice(0, slash);
  const hasHost = /[.:]/.test(host) || host === "localhost" || host.toLowerCase() !== host;
  const domain = hasHost && host !== oldDockerHub ? host : ofDockerHub;
  const rest = hasHost ? image.slice(slash + 1) : image;
  const isOfficial = domain === ofDockerHub && !rest.includes("/");
  return { domain, remainder: isOfficial ? `library/${rest}` : rest };
}

/** The name of an image as containerd reports it: `docker.io/library/nginx:latest` for `nginx`. */
export function normalizedImage(image: string): string {
  const { domain, remainder } = imageParts(image);
  const last = remainder.slice(remainder.lastIndexOf("/") + 1);
  return `${domain}/${remainder}${last.includes(":") || last.includes("@") ? "" : ":latest"}`;
}

/** The identity of an image: a digest of its name, so that it is the same on every node. */
export function imageId(image: string): string {
  if (latest.image !== image) latest = { image, id: digestedId(image) };
  return latest.id;
}

/** Many pods have the same image, and a digest takes longer than the rest of a status. */
let latest = { image: "", id: "" };

function digestedId(image: string): string {
  const normalized = normalizedImage(image);
  if (normalized.includes("@")) return normalized;
  const digest = Array.from(sha256(normalized), (byte) => byte.toString(16).padStart(2, "0")).join("");
  return `${normalized.slice(0, normalized.lastIndexOf(":"))}@sha256:${digest}`;
}

/** Whether the kubelet asks for an image before each start. */
export function pullsAlways(container: { readonly [field: string]: unknown }): boolean {
  return container["imagePullPolicy"] === "Always";
}

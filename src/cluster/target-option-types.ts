import { checkValue, type OptionType } from "../apimachinery/option-checks.ts";
import { text } from "../apimachinery/option-types.ts";
import type { Address } from "../webhooks/address.ts";
import type { OutgoingTargets, TargetHandle } from "../webhooks/outgoing-targets.ts";
import type { ReviewFunction } from "../webhooks/webhook-target.ts";

/** A function in place of a webhook. */
const reviewFunction: OptionType = {
  accepts: "a function that answers a review",
  isValid: (value) => typeof value === "function",
};

const service = /^[^/:A-Z\s]+\/[^/:A-Z\s]+$/;

const serverName: OptionType = {
  accepts:
    'the name of a Service such as "policies/webhook", or an origin such as "https://hooks.example.com"',
  isValid: (value) => typeof value === "string" && (service.test(value) || isOrigin(value)),
};

const hostAndPort = /^(\[[0-9A-Fa-f:.]+\]|[^:/[\]\s]+):(\d{1,5})$/;

const serverAddress: OptionType = {
  accepts: 'a host and a port such as "127.0.0.1:9443"',
  isValid: (value) => typeof value === "string" && isPort(hostAndPort.exec(value)?.[2]),
};

/** Lets a function answer for a webhook. @throws {Error} for no name or no function */
export function addWebhook(targets: OutgoingTargets, name: string, review: ReviewFunction): TargetHandle {
  checkValue("the name of a webhook", name, text);
  checkValue("the webhook", review, reviewFunction);
  return targets.webhooks.add(name, review);
}

/** Says where a Service or an origin is. @throws {Error} for another form */
export function addAddress(targets: OutgoingTargets, server: string, address: string): TargetHandle {
  const named = namedAddress(server, address);
  return targets.addresses.add(named.server, named.address);
}

/** A server that objects of a cluster name, and where it is. */
export interface NamedAddress {
  /** `namespace/name` of a Service, or an origin. */
  readonly server: string;
  readonly address: Address;
}

/** Reads where a Service or an origin is. @throws {Error} for another form */
export function namedAddress(server: string, address: string): NamedAddress {
  checkValue("the server", server, serverName);
  checkValue(`the address of ${server}`, address, serverAddress);
  const [, host = "", port = ""] = hostAndPort.exec(address) ?? [];
  return {
    server: service.test(server) ? server : new URL(server).origin,
    address: { host: host.replace(/^\[|\]$/g, ""), port: Number(port) },
  };
}

function isPort(text: string | undefined): boolean {
  return text !== undefined && Number(text) > 0 && Number(text) < 65_536;
}

/** Objects name servers with TLS only. */
function isOrigin(text: string): boolean {
  if (!/^https:\/\/[^/?#@]+\/?$/.test(text) || !URL.canParse(text)) return false;
  const { pathname, search, hash } = new URL(text);
  return pathname === "/" && search === "" && hash === "";
}

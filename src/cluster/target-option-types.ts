import type { OptionType } from "../apimachinery/option-checks.ts";
import type { Address } from "../webhooks/webhook-targets.ts";

/** A function in place of a webhook. */
export const reviewFunction: OptionType = {
  accepts: "a function that answers a review",
  isValid: (value) => typeof value === "function",
};

/** The name of a Service with its namespace. */
export const serviceName: OptionType = {
  accepts: 'text such as "policies/webhook"',
  isValid: (value) => typeof value === "string" && /^[^/]+\/[^/]+$/.test(value),
};

/** A host and a port. */
export const serviceAddress: OptionType = {
  accepts: 'text such as "127.0.0.1:9443"',
  isValid: (value) => typeof value === "string" && hostAndPort.test(value),
};

const hostAndPort = /^(\[[0-9A-Fa-f:.]+\]|[^:/[\]]+):(\d{1,5})$/;

/** The parts of a valid address. */
export function addressOf(address: string): Address {
  const [, host = "", port = ""] = hostAndPort.exec(address) ?? [];
  return { host: host.replace(/^\[|\]$/g, ""), port: Number(port) };
}

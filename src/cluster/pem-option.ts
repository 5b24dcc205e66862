import type { OptionType } from "../apimachinery/option-checks.ts";
import { text } from "../apimachinery/option-types.ts";
import { pemBlocks } from "../apimachinery/pem.ts";

/** PEM, or a function that returns the present PEM. */
export const pemText: OptionType = {
  accepts: "text or a function that returns text",
  isValid: (value) => text.isValid(value) || typeof value === "function",
};

/** The text that an option has now. */
export function presentText(given: string | (() => string)): string {
  return typeof given === "string" ? given : given();
}

/** The certificates in PEM, each as a text that no other one has. */
export function authoritiesOf(pem: string): readonly string[] {
  return pemBlocks(pem)
    .filter(({ label }) => label === "CERTIFICATE")
    .map(({ bytes }) => bytes.join());
}

/** @throws {Error} for a text without a certificate in PEM */
export function checkAuthorities(pem: string, title: string): void {
  if (authoritiesOf(pem).length > 0) return;
  throw new Error(`${title}: data does not contain any valid RSA or ECDSA certificates`);
}

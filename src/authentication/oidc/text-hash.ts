import { sha256 } from "@noble/hashes/sha2.js";
import { hexadecimal } from "../../apimachinery/der.ts";

/** The hash by which metrics name a text. */
export function textHash(text: string): string {
  return `sha256:${hexadecimal(sha256(new TextEncoder().encode(text)))}`;
}

/** This server in metrics. */
export const serverHash: string = textHash("kube-apiserver");

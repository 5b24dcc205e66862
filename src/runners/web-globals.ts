/**
 * The globals of Node that jsdom lacks, or whose counterparts in jsdom do not work with them: Node's `fetch` refuses a signal of
 * jsdom's AbortController. Those of the DOM that `jest-fixed-jsdom` keeps are not among them, and neither is `MessageChannel`: React
 * would use it, and its open port would keep the process alive.
 */
const webGlobals = [
  ...["fetch", "Headers", "Request", "Response", "FormData", "Blob", "URL", "URLSearchParams"],
  ...["AbortController", "AbortSignal", "TextEncoder", "TextDecoder", "TextEncoderStream"],
  ...["TextDecoderStream", "ReadableStream", "WritableStream", "TransformStream", "CompressionStream"],
  ...["DecompressionStream", "ByteLengthQueuingStrategy", "CountQueuingStrategy", "BroadcastChannel"],
  ...["structuredClone", "crypto"],
  // The types of the bytes that these return, for `instanceof`, as in Jest's environment for Node.
  ...["ArrayBuffer", "Uint8Array"],
];

/** Gives the window of a test the globals of Node that exchange data with servers. */
export function addWebGlobals(window: object): void {
  for (const name of webGlobals) {
    const value: unknown = Reflect.get(globalThis, name);
    Object.defineProperty(window, name, { value, configurable: true, enumerable: false, writable: true });
  }
}

import { afterEach, expect, test, vi } from "vitest";
import { bufferedResponses } from "./buffered-response.ts";
import { type ResponseParts, responseOf } from "./web-response.ts";

const url = "https://cluster.test/version";
const text = '{"a":"\u00e4"}';
const parts = (body: string | null = `\ufeff${text}`): ResponseParts => ({
  status: 201,
  statusText: "Created",
  headers: [
    ["Content-Type", "application/json"],
    ["Warning", "299 - a"],
    ["Warning", "299 - b"],
  ],
  body: body === null ? null : new TextEncoder().encode(body),
});
const buffered = (body?: string | null) => bufferedResponses()?.(url, parts(body)) as Response;

afterEach(() => vi.unstubAllGlobals());

/** What a use of a response shows, or the error that it fails with. */
async function shown(use: (response: Response) => unknown, response: Response): Promise<unknown> {
  try {
    return await use(response);
  } catch (error) {
    return String(error);
  }
}

async function chunksOf(body: ReadableStream<Uint8Array> | null): Promise<string[]> {
  const chunks = [];
  for await (const chunk of body ?? []) chunks.push(String(chunk));
  return chunks;
}

function hasBytes(response: Response): response is Response & { bytes(): Promise<Uint8Array> } {
  return "bytes" in response;
}

const uses: readonly [string, (response: Response) => unknown][] = [
  ["text", (response) => response.text()],
  ["json", (response) => response.json()],
  ["arrayBuffer", async (response) => new Uint8Array(await response.arrayBuffer())],
  ["blob", async (response) => [(await response.blob()).type, (await response.blob()).size]],
  [
    "a blob's type and text",
    async (response) => [(await response.clone().blob()).type, await response.text()],
  ],
  ["formData", (response) => response.formData()],
  ["bytes", (response) => (hasBytes(response) ? response.bytes() : "none")],
  ["a read twice", async (response) => [await response.text(), await response.text()]],
  ["JSON after text", async (response) => [await response.text(), await response.json()]],
  ["the body after a read", async (response) => [await response.text(), response.body?.locked]],
  ["a stream after a read", async (response) => [await response.text(), response.body?.getReader()]],
  ["text after a look at the body", async (response) => [response.body?.locked, await response.text()]],
  ["text with a reader", async (response) => [response.body?.getReader() && "", await response.text()]],
  ["chunks", async ({ body }) => chunksOf(body)],
  ["a clone", async (response) => [await response.clone().text(), await response.text()]],
  ["a clone's clone", async (response) => response.clone().clone().json()],
  ["a clone of a used response", async (response) => [await response.text(), response.clone()]],
  [
    "a clone of one with a look at the body",
    async (response) => [response.body?.locked, await response.clone().text()],
  ],
  ["the use of a body", async (response) => [response.bodyUsed, await response.text(), response.bodyUsed]],
  ["the use of a stream", async (response) => [await response.body?.cancel(), response.bodyUsed]],
  ["status", ({ status, statusText, ok, type, redirected }) => [status, statusText, ok, type, redirected]],
  ["headers", ({ headers }) => [...headers]],
  [
    "changed headers",
    ({ headers }) => {
      headers.set("Warning", "none");
      return [...headers];
    },
  ],
  ["a response of its parts", async (response) => new Response(response.body, response).text()],
  ["its class", (response) => [response instanceof Response, response.constructor.name, String(response)]],
];

test.each(uses)("%s: the same as in the platform's response", async (_title, use) => {
  for (const body of [undefined, "", "no JSON", null]) {
    expect(await shown(use, buffered(body))).toEqual(await shown(use, responseOf(parts(body))));
  }
});

test("the headers that a client changes are those of the clone", () => {
  const response = buffered();
  response.headers.set("Warning", "none");
  expect(response.clone().headers.get("Warning")).toBe("none");
});

test.each([
  ["a response", (response: Response) => response],
  ["a clone", (response: Response) => response.clone()],
  ["a clone after a look at the body", (response: Response) => response.body && response.clone()],
])("%s has the URL of the request", (_title, of) => {
  expect(of(buffered())?.url).toBe(url);
});

test("nothing that a client does with the bytes changes those of others", async () => {
  const { body } = parts(text);
  const content = body as Uint8Array;
  const create = bufferedResponses() as NonNullable<ReturnType<typeof bufferedResponses>>;
  new Uint8Array(await create(url, { ...parts(), body: content }).arrayBuffer()).fill(0);
  expect(new TextDecoder().decode(content)).toBe(text);
});

test("a Response that is not undici's is not extended", () => {
  // A polyfill sets its properties in the constructor.
  vi.stubGlobal("Response", function Response() {});
  expect(bufferedResponses()).toBeUndefined();
  vi.unstubAllGlobals();
  expect(bufferedResponses()).toBeTypeOf("function");
});

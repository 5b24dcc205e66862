import { beforeEach, describe, expect, test } from "vitest";
import { ConfigMaps, decodeToken, encodeToken, type ListAnswer } from "./config-maps.ts";
import { QuietServer } from "./quiet-server.ts";

let server: QuietServer;
let maps: ConfigMaps;

beforeEach(async () => {
  server = new QuietServer();
  maps = new ConfigMaps(server, "pages");
  await maps.begin("a", "b", "c", "d", "e");
});

function namesOf({ items }: ListAnswer): string {
  return items.map(({ metadata }) => metadata.name).join("");
}

/** The rest of a list, page by page. */
async function pagesAfter(first: ListAnswer, query: string): Promise<readonly ListAnswer[]> {
  const pages: ListAnswer[] = [];
  for (let page = first; page.metadata.continue !== undefined; ) {
    page = await maps.list(`${query}&continue=${page.metadata.continue}`);
    pages.push(page);
  }
  return pages;
}

describe("the pages of a list", () => {
  test("all have the revision of the first page", async () => {
    const first = await maps.list("limit=2");
    await maps.delete("c");
    await maps.update("d");
    await maps.create("cc");
    const rest = await pagesAfter(first, "limit=2");
    const { resourceVersion } = first.metadata;
    expect(rest.map(namesOf)).toEqual(["cd", "e"]);
    expect(rest.map(({ metadata }) => metadata.resourceVersion)).toEqual([resourceVersion, resourceVersion]);
    const changed = rest[0]?.items[1]?.metadata.resourceVersion;
    expect(Number(changed)).toBeLessThan(Number(resourceVersion));
  });

  test("may have different sizes", async () => {
    const first = await maps.list("limit=1");
    const second = await maps.list(`limit=3&continue=${first.metadata.continue}`);
    const third = await maps.list(`continue=${second.metadata.continue}`);
    expect([first, second, third].map(namesOf)).toEqual(["a", "bcd", "e"]);
    expect(third.metadata.continue).toBeUndefined();
  });

  test.each([
    ["the number of remaining objects while there are some", "limit=2", [3, 1, undefined]],
    [
      "no number of remaining objects with a label selector",
      "limit=2&labelSelector=!x",
      [undefined, undefined, undefined],
    ],
    [
      "no number of remaining objects with a field selector",
      "limit=2&fieldSelector=metadata.name!%3Dz",
      [undefined, undefined, undefined],
    ],
    ["no number on the last page", "limit=5", [undefined]],
    ["no number without a limit", "", [undefined]],
  ])("contain %s", async (_title, query, remaining) => {
    const first = await maps.list(query);
    const pages = [first, ...(await pagesAfter(first, query))];
    expect(pages.map(({ metadata }) => metadata.remainingItemCount)).toEqual(remaining);
    expect(pages.map(({ metadata }) => metadata.continue !== undefined)).toEqual(
      remaining.map((_, at) => at < remaining.length - 1),
    );
  });

  test("contain only selected objects, and may end with an empty page", async () => {
    for (const name of ["b", "d"]) await maps.update(name, { chosen: "yes" });
    const query = "limit=1&labelSelector=chosen";
    const first = await maps.list(query);
    const pages = [first, ...(await pagesAfter(first, query))];
    expect(pages.map(namesOf)).toEqual(["b", "d", ""]);
  });

  test("cover all namespaces in the order of the store's keys", async () => {
    const other = new ConfigMaps(server, "pages-2");
    await other.begin("z");
    const path = "/api/v1/configmaps?fieldSelector=metadata.namespace!%3Dkube-system&limit=1";
    const page = async (query: string) => (await server.read(`${path}${query}`)) as ListAnswer;
    const first = await page("");
    expect([namesOf(first), decodeToken(first.metadata.continue).start]).toEqual(["z", "pages-2/z\0"]);
    const second = await page(`&continue=${first.metadata.continue}`);
    expect([namesOf(second), decodeToken(second.metadata.continue).start]).toEqual(["a", "pages/a\0"]);
  });
});

describe("a continue token", () => {
  test("is valid for five minutes of the cluster's time", async () => {
    const { metadata } = await maps.list("limit=2");
    await maps.create("f");
    await server.pass("299s");
    expect(namesOf(await maps.list(`limit=2&continue=${metadata.continue}`))).toBe("cd");
    await server.pass("1s");
    const expired = await server.ask({
      method: "GET",
      target: `${maps.path}?limit=2&continue=${metadata.continue}`,
    });
    const status = JSON.parse(expired.text);
    expect(status).toEqual({
      kind: "Status",
      apiVersion: "v1",
      metadata: { continue: expect.any(String) },
      status: "Failure",
      message:
        "The provided continue parameter is too old to display a consistent list result. You can start a new list " +
        "without the continue parameter, or use the continue token in this response to retrieve the remainder of the " +
        "results. Continuing with the provided token results in an inconsistent list - objects that were created, " +
        "modified, or deleted between the time the first chunk was returned and now may show up in the list.",
      reason: "Expired",
      code: 410,
    });
    expect(expired.status).toBe(410);
    expect(decodeToken(status.metadata.continue)).toEqual({ rv: -1, start: "b\0" });
  });

  test("that has expired yields a new token, which continues at the newest state consistently", async () => {
    const first = await maps.list("limit=2");
    server.cluster.compact();
    await maps.create("bb");
    server.cluster.compact();
    const expired = await maps.list(`limit=2&continue=${first.metadata.continue}`);
    const second = await maps.list(`limit=2&continue=${expired.metadata.continue}`);
    const now = await server.revision();
    expect([namesOf(second), second.metadata.resourceVersion]).toEqual(["bbc", now]);
    await maps.delete("d");
    const third = await maps.list(`limit=2&continue=${second.metadata.continue}`);
    expect([namesOf(third), third.metadata.resourceVersion]).toEqual(["de", now]);
  });

  test("does not expire without writes", async () => {
    const { metadata } = await maps.list("limit=2");
    await server.pass("24h");
    expect(namesOf(await maps.list(`continue=${metadata.continue}`))).toBe("cde");
  });

  test("of another collection continues after the same key", async () => {
    const other = new ConfigMaps(server, "others");
    await other.begin("a", "b", "c");
    const { metadata } = await other.list("limit=2");
    expect(namesOf(await maps.list(`continue=${metadata.continue}`))).toBe("cde");
  });

  test.each([
    ["in the future", 1_000_000, 500, "etcdserver: mvcc: required revision is a future revision"],
    ["in the past", 1, 410, /^The provided continue parameter is too old/],
  ])("with a revision %s is refused", async (_title, rv, status, message) => {
    server.cluster.compact();
    const token = encodeToken({ v: "meta.k8s.io/v1", rv, start: "b\0" });
    const answer = await server.ask({ method: "GET", target: `${maps.path}?continue=${token}` });
    expect(answer.status).toBe(status);
    expect(JSON.parse(answer.text).message).toMatch(message);
  });
});

import { afterAll, expect, test } from "vitest";
import { QuietServer } from "../conformance/quiet-server.ts";
import { transcript } from "../conformance/replay/exchange.ts";

const server = new QuietServer({ release: "1.32" });
afterAll(() => server.cluster.close());

const recorded = transcript("access").filter(
  ({ req }) => req.as.startsWith("admin") && /^\/(healthz|livez|readyz|logs|$)/.test(req.path),
);

test.each(recorded.map((exchange) => [exchange.req.method, exchange.req.path, exchange.res] as const))(
  "%s %s is answered as a real 1.32 answered it",
  async (method, target, { status, body }) => {
    const answer = await server.ask({ method, target });
    expect([answer.status, answer.text]).toEqual([status, body]);
  },
);

import { expect, test } from "vitest";
import { EventCorrelation } from "./event-correlation.ts";
import { EventNames } from "./event-names.ts";

const pod = { apiVersion: "v1", kind: "Pod", metadata: { name: "web", namespace: "default", uid: "1" } };
const source = { component: "kubelet", host: "node-1" };

/** What is written about events with these messages, one each second. */
function written(messages: readonly string[]): readonly (string | undefined)[] {
  const [correlation, names] = [new EventCorrelation(), new EventNames()];
  return messages.map((message, second) => {
    const event = { type: "Warning", reason: "Failed", message } as const;
    const found = correlation.observe(pod, event, source, second * 1000, names);
    return found && `${found.count} ${found.message}`;
  });
}

const different = (length: number) => Array.from({ length }, (_, i) => `error ${i}`);

/** Upstream: the cases of `TestEventCorrelator` in client-go, tools/record/events_cache_test.go. */
test.each([
  ["the first nine messages are Events of their own", different(9), "1 error 8"],
  ["the tenth one is combined", different(10), "1 (combined from similar events): error 9"],
  ["and so are all after it", different(12), "3 (combined from similar events): error 11"],
  ["an equal message is counted", [...different(9), "error 3"], "2 error 3"],
  ["the 26th event is dropped", Array.from({ length: 26 }, () => "error"), undefined],
] as const)("of similar events, %s", (_title, messages, last) => {
  expect(written(messages).at(-1)).toBe(last);
});

import { describe, expect, test } from "vitest";
import { ConversionReplay } from "./conversion-replay.ts";

describe("code that needs conversions", () => {
  test("returns at once if they are ready", () => {
    const replay = new ConversionReplay();
    let runs = 0;
    const result = replay.run(() => {
      runs += 1;
      return [replay.convert(() => "a"), replay.convert(() => "b")];
    });
    expect([result, runs]).toEqual([["a", "b"], 1]);
  });

  test("runs again for each one that takes time, and starts each once", async () => {
    const replay = new ConversionReplay();
    const started: string[] = [];
    let runs = 0;
    const convert = (name: string) =>
      replay.convert(() => {
        started.push(name);
        return name === "ready" ? name : Promise.resolve(name);
      });
    const result = replay.run(() => {
      runs += 1;
      return ["ready", "a", "b", "ready"].map(convert).join(" ");
    });
    expect(await result).toBe("ready a b ready");
    expect([started, runs]).toEqual([["ready", "a", "b", "ready"], 3]);
  });

  test("fails as the code or a conversion does", async () => {
    const replay = new ConversionReplay();
    const fail = () => {
      throw new Error("of the code");
    };
    expect(() => replay.run(fail)).toThrow("of the code");
    const refuse = () => replay.convert(() => Promise.reject(new Error("of the conversion")));
    await expect(replay.run(refuse)).rejects.toThrow("of the conversion");
  });

  test("starts from nothing each time", () => {
    const replay = new ConversionReplay();
    const results = ["a", "b"].map((name) => replay.run(() => replay.convert(() => name)));
    expect(results).toEqual(["a", "b"]);
  });
});

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { test } from "node:test";
import { chromium } from "playwright-core";
import { build, preview } from "vite";

const names = ["chromium", "chromium-browser", "google-chrome"];
const executablePath = process.env.PATH.split(delimiter)
  .flatMap((directory) => names.map((name) => join(directory, name)))
  .find((path) => existsSync(path));

test("every story plays in a browser", {
  skip: executablePath === undefined && `none of ${names.join(", ")} is on PATH`,
}, async (t) => {
  // Only the page loads `msw/browser`, and every browser that has workers supports top-level await.
  await build({ logLevel: "error", build: { target: "esnext" } });
  const server = await preview({ logLevel: "error", preview: { port: 0, host: "127.0.0.1" } });
  t.after(() => server.close());
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
  t.after(() => browser.close());
  const [url] = server.resolvedUrls.local;

  const index = await browser.newPage();
  await index.goto(url);
  await index.waitForSelector("a");
  const stories = await index.locator("a").allTextContents();
  assert.ok(stories.includes("WatchExpires"));

  for (const story of stories) {
    await t.test(story, async () => {
      // A new context, so that no worker of another story answers here.
      const context = await browser.newContext();
      const page = await context.newPage();
      const errors = [];
      page.on("pageerror", (error) => errors.push(error.stack));
      await page.goto(`${url}?story=${story}`);
      const outcome = page.locator("body[data-outcome]");
      await outcome.waitFor({ timeout: 45_000 }).catch(async (error) => {
        throw new Error(`${await page.locator("body").textContent()}\n${errors.join("\n")}`, {
          cause: error,
        });
      });
      assert.equal(await outcome.getAttribute("data-outcome"), "passed");
      assert.deepEqual(errors, []);
      await context.close();
    });
  }
});

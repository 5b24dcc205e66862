import { InProcess, pods } from "../in-process.ts";
import { heapUsed, serveMessages } from "./serve-messages.ts";

const count = Number(process.argv[2]);
const asked = await InProcess.ready();
await asked.fill(1);
const [name = ""] = JSON.parse(await asked.read(pods)).items.map(
  (item: { metadata: { name: string } }) => item.metadata.name,
);
const text = await asked.read(`${pods}/${name}`);
const before = heapUsed();
const objects: unknown[] = [];
while (objects.length < count)
  objects.push(
    JSON.parse(text.replace(name, `${name.slice(0, -6)}${String(objects.length).padStart(6, "0")}`)),
  );
serveMessages({ heap: () => (objects.length === count ? heapUsed() - before : 0) });

/** A long Markdown text that never changes: headings, lists, a table, a quotation and code. */
export const longText = `# How an answer travels

You asked for something long, so here is a short tour of what happens between a model and your screen. It is written in Markdown on purpose: headings, lists, a table and a piece of code, so that you can watch how a renderer copes while the text is still growing.

## One word at a time

A language model does not write an answer and then send it. It chooses one small piece of text, called a *token*, adds it to what is there, and looks at the whole again to choose the next. That is slow enough to notice, and it is why chats stream: reading can start with the first word instead of the last.

The pieces are sent as server-sent events, a format that is older than language models and pleasantly simple. Each event is a line that starts with \`data:\`, followed by a blank line. The network does not care about those lines. It cuts the bytes where it likes: in the middle of a word, of a JSON string, even of a single character such as “é”. Whoever reads the stream has to put it together again, and the answer must be the same wherever the cuts fell.

## From bytes to a message

In vue-llm the way is always the same, whichever provider is at the other end:

1. **Bytes** arrive and become events.
2. A provider turns events into **chunks**: a bit of text, the start of a tool call, the end of a round.
3. One function applies each chunk to the **message**.
4. Vue notices what changed and updates that part of the page, and nothing else.

The third step is the one to remember. There is one place where a message is written, so there is one place to look when something on the screen is odd. Text that a person sees, arguments that are still being typed by the model, the result of a tool: all of it went through there.

## Tools, or how a model gets things done

A model alone can only write. Give it tools, and it can ask for things to be done: look up an order, check the weather, book a table. It does not do them itself. It writes down the name of a tool and its arguments, and then it waits.

| state | what it means |
|---|---|
| \`streaming\` | the arguments are still arriving |
| \`pending\` | they are complete, and the call waits |
| \`running\` | your code is at work |
| \`result\` | it is done, and the model will read the result |
| \`error\` | it failed, and the model will read why |

A tool is an object with a name, a schema and a function:

\`\`\`ts
const getWeather = defineTool({
  name: 'get_weather',
  description: 'Get the current weather for a city',
  parameters: {
    type: 'object',
    properties: { city: { type: 'string' } },
    required: ['city'],
  },
  execute: async ({ city }, { signal }) => {
    const response = await fetch(\`/api/weather?city=\${city}\`, { signal })
    return response.json()
  },
})
\`\`\`

When the function throws, nothing breaks. The text of the error goes back to the model, which may correct its arguments and try once more, or tell you what went wrong. Errors that a model can read are worth writing well.

## When a person should decide

Some calls should not run by themselves. Sending money, deleting a file or writing to a customer are good moments to stop and ask. The call then waits, a button appears, and the conversation goes on only after somebody has pressed it. Three habits make this pleasant:

- Show *what* will happen, with the real arguments, not only the name of the tool.
- Make declining as easy as approving, and let people say why.
- Never lose an answer, even if it comes late or the page was closed in between.

> A good assistant is quick with what is harmless, and patient with what is not.

## When things go wrong

Networks fail. Servers are busy. A stream ends in the middle of a sentence. None of this is rare, so a chat should treat it as part of the day: keep what has arrived, say clearly what happened, and offer to try again. You can see each case here. Ask me for an *error*, a *rate limit* or to *cut* the stream, and watch what the page does.

Stopping is not a failure. If this text has become too long for you, press stop. What you have read so far stays, the connection closes, and you can ask the next question at once.

## Why it feels fast

Speed in a chat has little to do with how many words arrive per second. It has to do with three things: how soon the first one appears, whether the page stays smooth while the rest follows, and whether scrolling and typing still work in the meantime. That is why updates are gathered and written once per frame, why a message that is finished is never drawn again, and why a long conversation costs no more than a short one.

## The end

That is the whole way: bytes, events, chunks, a message, a page. You have just seen about a thousand small pieces go along it. Thank you for reading to the end.`

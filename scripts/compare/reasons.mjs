/**
 * Why our requests differ from those of others. `at` is matched against wire, client and path,
 * `ours` against what we send there (`undefined`: nothing). The reasons stand in the comments of
 * the providers, too.
 */
export const reasons = [
  {
    at: / \/(tool_choice|toolConfig)$/,
    ours: /^undefined/,
    why: '`auto` is what servers do by themselves; some refuse a `tool_choice` that they do not know.',
  },
  {
    at: / openai \/tool_choice$/,
    ours: /^"auto"/,
    why: 'Chat Completions is asked with `auto`, as most clients do: its SDK sends what it is given.',
  },
  {
    at: / \/.*\/(content|output|error)$/,
    ours: /^"Error: /,
    why: 'A failed call is told by its text, so that a model reads the same on every wire, marked or not.',
  },
  {
    at: /^(openai|compatible|openrouter) .* \/response_format\/json_schema\/strict$/,
    why: 'Strict schemas may not have optional fields or open objects: only where `strictTools` says so.',
  },
  {
    at: /^responses .* \/(tools\/\d+|text\/format)\/strict$/,
    why: 'Always said: without it the server makes schemas strict, and optional fields required.',
  },
  {
    at: /^openrouter .* \/messages\/0\/content$/,
    why: 'A string is the form of the system prompt that every compatible server takes; a list serves its caching only.',
  },
  {
    at: /^openrouter .* \/messages\/\d+\/name$/,
    why: 'Chat Completions has no `name` in tool messages any more: the id tells the call.',
  },
  {
    at: /^openrouter .* \/messages\/\d+\/reasoning$/,
    why: 'The details hold the text; the plain field goes back where it came alone or as well.',
  },
  {
    at: /^openrouter .*extra_content$/,
    why: 'What the server gave with a call goes back with it, whichever server that was.',
  },
  {
    at: /^responses .* \/(instructions|input\/[01])/,
    ours: /Be kind|"user"|"hi"|undefined|input_text/,
    why: '`instructions` stand beside the input: a conversation kept by the server would gather a system message of each request.',
  },
  {
    at: /^responses .* \/input\/1\/content$/,
    ours: /^"(Hello|I look)\.?/,
    why: 'A string: servers want the list form of an answer as they gave it, with its id.',
  },
  {
    at: /^responses @ai-sdk\/openai \/(temperature|top_p)$/,
    why: 'What the caller has set is sent: a refusal tells more than a setting that is lost in silence.',
  },
  {
    at: /^anthropic @ai-sdk\/anthropic \/max_tokens$/,
    why: 'The API wants a number; without a list of models, one that every model takes. `maxTokens` sets another.',
  },
  {
    at: /^anthropic @ai-sdk\/anthropic \/system$/,
    why: 'A string is the same to the API as a list of one text.',
  },
  {
    at: /^anthropic @ai-sdk\/anthropic \/top_p$/,
    why: 'What the caller has set is sent: a refusal tells more than a setting that is lost in silence.',
  },
  {
    at: /^anthropic @ai-sdk\/anthropic \/tools\/\d+\/eager_input_streaming$/,
    why: 'Other servers of this wire refuse fields that they do not know.',
  },
  {
    at: /^gemini @ai-sdk\/google \/tools\/\d+\/functionDeclarations\/\d+\/parameters/,
    why: '`parametersJsonSchema` takes the schema as it is; `parameters` takes a part of it, in another form.',
  },
  {
    at: /^gemini @ai-sdk\/google \/generationConfig\/response(Json)?Schema$/,
    why: '`responseJsonSchema` takes the schema as it is; `responseSchema` takes a part of it, in another form.',
  },
  {
    at: /^gemini @ai-sdk\/google .*\/functionResponse\/response\//,
    why: '`output` and `error` are the keys that the API names for a response.',
  },
  {
    at: /^gemini @ai-sdk\/google .*\/(functionCall|functionResponse)\/id$/,
    why: 'Ids of other wires stay out, since Vertex AI takes none: calls and responses match by their order.',
  },
  {
    at: /^gemini .*\/thoughtSignature$/,
    why: 'Newer models refuse a round whose first call has no signature; Google names this one for calls that came without.',
  },
  {
    at: /^ollama ollama \/options$/,
    why: 'Empty where no setting is: the server reads it as none.',
  },
  {
    at: /^ollama ollama .*(\/tool_calls\/\d+\/id|\/tool_call_id)$/,
    why: 'Newer servers tell two results of one tool apart by it; others read past it.',
  },
  {
    at: /^ollama ollama \/messages\/0\/(content|images)$/,
    why: 'It takes no files but images and opens no URL: of others the model reads the name.',
  },
]

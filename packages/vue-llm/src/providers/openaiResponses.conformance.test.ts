import { describeRecordedStreams } from '../../test/recordedStreams'
import { createOpenAIResponsesProvider } from './openaiResponses'

describeRecordedStreams('openai-responses', createOpenAIResponsesProvider, 8)

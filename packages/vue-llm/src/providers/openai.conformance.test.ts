import { describeRecordedStreams } from '../../test/recordedStreams'
import { createOpenAIProvider } from './index'

describeRecordedStreams('openai-chat', createOpenAIProvider, 41)
